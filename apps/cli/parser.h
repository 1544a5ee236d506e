#pragma once
// The command-line parser, a thin layer over CLI11, whose header takes seconds to compile in every file that
// includes it.

#include <functional>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace stiction::cli {

// An option or argument; it belongs to the parser.
class ParserOption {
 public:
  explicit ParserOption(CLI::Option* option) : option_(option) {}
  ParserOption required() const;
  ParserOption description(const std::string& description) const;
  // The type of its values in `--help` and in shell completion.
  ParserOption type_name(const char* type) const;
  // `--help` shows the value that it has now.
  ParserOption capture_default_str() const;
  ParserOption delimiter(char between) const;
  ParserOption allow_extra_args(bool allows) const;

 private:
  CLI::Option* option_;
};

// A program or command. Values are written to the given variables before the callback runs, so these must
// live as long.
class Parser {
 public:
  explicit Parser(CLI::App* app) : app_(app) {}
  Parser add_command(const std::string& name, const std::string& description) const;
  void require_command() const;
  // Names that begin with a dash are options, others arguments. For the types that are instantiated in
  // parser.cpp.
  template <class T>
  ParserOption add_option(const std::string& name, T* value, const std::string& description) const;
  ParserOption add_flag(const std::string& name, bool* value, const std::string& description) const;
  void callback(std::function<void()> run) const;
  const CLI::App& app() const { return *app_; }

 private:
  CLI::App* app_;
};

}  // namespace stiction::cli
