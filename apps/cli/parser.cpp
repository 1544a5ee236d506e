#include "apps/cli/parser.h"

#include <optional>
#include <vector>

#include <CLI/CLI.hpp>

namespace stiction::cli {

ParserOption ParserOption::required() const { return ParserOption(option_->required()); }
ParserOption ParserOption::description(const std::string& description) const {
  return ParserOption(option_->description(description));
}
ParserOption ParserOption::type_name(const char* type) const {
  return ParserOption(option_->type_name(type));
}
ParserOption ParserOption::capture_default_str() const {
  return ParserOption(option_->capture_default_str());
}
ParserOption ParserOption::delimiter(char between) const { return ParserOption(option_->delimiter(between)); }
ParserOption ParserOption::allow_extra_args(bool allows) const {
  return ParserOption(option_->allow_extra_args(allows));
}

Parser Parser::add_command(const std::string& name, const std::string& description) const {
  return Parser(app_->add_subcommand(name, description));
}

void Parser::require_command() const { app_->require_subcommand(1); }

template <class T>
ParserOption Parser::add_option(const std::string& name, T* value, const std::string& description) const {
  return ParserOption(app_->add_option(name, *value, description));
}
using Text = const std::string&;
template ParserOption Parser::add_option(Text, int*, Text) const;
template ParserOption Parser::add_option(Text, double*, Text) const;
template ParserOption Parser::add_option(Text, std::string*, Text) const;
template ParserOption Parser::add_option(Text, std::optional<int>*, Text) const;
template ParserOption Parser::add_option(Text, std::optional<long>*, Text) const;
template ParserOption Parser::add_option(Text, std::optional<double>*, Text) const;
template ParserOption Parser::add_option(Text, std::vector<std::string>*, Text) const;

ParserOption Parser::add_flag(const std::string& name, bool* value, const std::string& description) const {
  return ParserOption(app_->add_flag(name, *value, description));
}

void Parser::callback(std::function<void()> run) const { app_->callback(std::move(run)); }

}  // namespace stiction::cli
