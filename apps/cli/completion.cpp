#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/cli/commands.h"
#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/contact/catalog.h"
#include "stiction/simulation/model/name_lookup.h"
#include "stiction/simulation/scheme/scheme.h"

namespace stiction::cli {
namespace {

// The possible values of an option or argument.
struct Values {
  std::vector<std::string> words;
  bool files = false, folders = false;
};

struct Word {
  std::string name, description;
  bool takes_value = false;
  Values values;
};

// A command of the parser, with the words that may follow it.
struct Command {
  std::string path;  // " bench solvers"
  std::vector<Word> commands, options;
  Values arguments;  // of its positionals
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// The types that options are given where they are made.
Values values_of(const std::string& type) {
  Values values;
  if (type == "SCENE") {
    for (const SceneEntry& entry : scene_catalog()) values.words.push_back(entry.name);
    values.files = true;
  } else if (type == "FORMULATION") {
    for (const CatalogEntry& entry : catalog()) values.words.push_back(entry.name());
  } else if (type == "SCHEME") {
    for (const Scheme* scheme : scheme_list()) values.words.push_back(scheme->name());
  } else if (type == "SHELL") {
    values.words = {"bash", "zsh", "fish"};
  } else if (type == "LIST") {
    values.words = list_names();
  } else if (type == "FILE") {
    values.files = true;
  } else if (type == "FOLDER") {
    values.folders = true;
  }
  return values;
}

void collect(const CLI::App* app, const std::string& path, std::vector<Command>* commands) {
  Command command;
  command.path = path;
  for (const CLI::Option* option : app->get_options()) {
    if (option->get_positional()) {
      const Values values = values_of(option->get_type_name());
      command.arguments.words.insert(command.arguments.words.end(), values.words.begin(), values.words.end());
      command.arguments.files = command.arguments.files || values.files;
      command.arguments.folders = command.arguments.folders || values.folders;
    }
    const bool takes_value = option->get_items_expected_max() > 0;
    const Values values = takes_value ? values_of(option->get_type_name()) : Values{};
    for (const std::string& name : option->get_lnames())
      command.options.push_back({"--" + name, first_line(option->get_description()), takes_value, values});
    for (const std::string& name : option->get_snames())
      command.options.push_back({"-" + name, first_line(option->get_description()), takes_value, values});
  }
  const std::vector<const CLI::App*> inner = app->get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* one : inner)
    command.commands.push_back({one->get_name(), first_line(one->get_description()), false, {}});
  commands->push_back(std::move(command));
  for (const CLI::App* one : inner) collect(one, path + " " + one->get_name(), commands);
}

std::string joined(const std::vector<std::string>& words, const char* separator = " ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

std::vector<std::string> names_of(const std::vector<Word>& words) {
  std::vector<std::string> names;
  for (const Word& word : words) names.push_back(word.name);
  return names;
}

// In single quotes of a shell.
std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The lines by which bash and zsh alike find out which command the words before the cursor name.
std::string find_command(const std::vector<Command>& commands) {
  std::vector<std::string> paths;
  for (const Command& command : commands)
    if (!command.path.empty()) paths.push_back("'" + command.path + "'");
  return "    case \"$command $word\" in " + joined(paths, "|") + ") command=\"$command $word\" ;; esac\n";
}

std::string bash_values(const Values& values) {
  std::string text = "COMPREPLY=(";
  if (!values.words.empty())
    text += "$(compgen -W " + shell_quoted(joined(values.words)) + " -- \"$current\") ";
  if (values.files) text += "$(compgen -f -- \"$current\") ";
  if (values.folders) text += "$(compgen -d -- \"$current\") ";
  return text + ")";
}

std::string bash_script(const std::vector<Command>& commands) {
  std::string text =
      "# Completion of stiction for bash: source <(stiction completion bash)\n_stiction() {\n"
      "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\" command=\"\" "
      "word\n"
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n" +
      find_command(commands) + "  done\n  case \"$command,$previous\" in\n";
  for (const Command& command : commands)
    for (const Word& option : command.options)
      if (option.takes_value)
        text += "    " + shell_quoted(command.path + "," + option.name) + ") " + bash_values(option.values) +
                "; return ;;\n";
  text += "  esac\n  case \"$command\" in\n";
  for (const Command& command : commands) {
    Values all = command.arguments;
    for (const Word& word : command.commands) all.words.push_back(word.name);
    Values options;
    options.words = names_of(command.options);
    text += "    " + shell_quoted(command.path) + ")\n      if [[ $current == -* ]]; then " +
            bash_values(options) + "; else " + bash_values(all) + "; fi ;;\n";
  }
  return text + "  esac\n}\ncomplete -o filenames -F _stiction stiction\n";
}

std::string zsh_values(const Values& values) {
  std::string text;
  if (!values.words.empty()) text += "compadd -- " + joined(values.words) + "; ";
  if (values.files) text += "_files; ";
  if (values.folders) text += "_files -/; ";
  return text.empty() ? "_message value; " : text;
}

std::string zsh_entries(const std::vector<Word>& words) {
  std::string text = "entries=(";
  for (const Word& word : words) {
    std::string description = word.description;
    std::replace(description.begin(), description.end(), ':', ';');
    text += shell_quoted(word.name + ":" + description) + " ";
  }
  return text + ")";
}

std::string zsh_script(const std::vector<Command>& commands) {
  std::string text =
      "#compdef stiction\n# Completion of stiction for zsh: source <(stiction completion zsh)\n_stiction() "
      "{\n"
      "  local command=\"\" word\n  local -a entries\n  for word in \"${(@)words[2,CURRENT-1]}\"; do\n" +
      find_command(commands) + "  done\n  case \"$command,${words[CURRENT-1]}\" in\n";
  for (const Command& command : commands)
    for (const Word& option : command.options)
      if (option.takes_value)
        text += "    " + shell_quoted(command.path + "," + option.name) + ") " + zsh_values(option.values) +
                "return ;;\n";
  text += "  esac\n  case \"$command\" in\n";
  for (const Command& command : commands) {
    text += "    " + shell_quoted(command.path) + ")\n";
    if (!command.commands.empty())
      text += "      " + zsh_entries(command.commands) + "; _describe command entries\n";
    text += "      " + zsh_entries(command.options) + "; _describe option entries\n";
    const bool has_arguments =
        command.arguments.files || command.arguments.folders || !command.arguments.words.empty();
    if (has_arguments) text += "      " + zsh_values(command.arguments) + "\n";
    text += "      ;;\n";
  }
  return text + "  esac\n}\ncompdef _stiction stiction\n";
}

std::string fish_script(const std::vector<Command>& commands) {
  std::string text =
      "# Completion of stiction for fish: stiction completion fish | source\ncomplete -c stiction -f\n";
  for (const Command& command : commands) {
    // A command of a command is seen when both words are.
    std::string when = "__fish_use_subcommand";
    std::string rest = command.path;
    if (!rest.empty()) {
      when.clear();
      while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(' ', 1), rest.size());
        when += (when.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + rest.substr(1, end - 1));
        rest = rest.substr(end);
      }
    }
    const std::string begin = "complete -c stiction -n " + shell_quoted(when);
    for (const Word& word : command.commands)
      text += begin + " -a " + word.name + " -d " + shell_quoted(word.description) + "\n";
    for (const Word& option : command.options) {
      const bool is_long = option.name.starts_with("--");
      text += begin + (is_long ? " -l " : " -s ") + option.name.substr(is_long ? 2 : 1);
      if (option.takes_value) text += option.values.files || option.values.folders ? " -r -F" : " -x";
      if (!option.values.words.empty()) text += " -a " + shell_quoted(joined(option.values.words));
      text += " -d " + shell_quoted(option.description) + "\n";
    }
    if (!command.arguments.words.empty())
      text += begin + " -a " + shell_quoted(joined(command.arguments.words)) + "\n";
    if (command.arguments.files || command.arguments.folders) text += begin + " -F\n";
  }
  return text;
}

}  // namespace

void add_completion(const Parser& app, int* exit_code) {
  auto shell = std::make_shared<std::string>();
  const Parser command = app.add_command(
      "completion",
      "Prints what makes a shell complete commands, options and scenes.\nExample: stiction completion bash");
  command.add_option("shell", shell.get(), "bash, zsh or fish").required().type_name("SHELL");
  command.callback([app = &app.app(), shell, exit_code] {
    std::vector<Command> commands;
    collect(app, "", &commands);
    std::string text;
    if (*shell == "bash")
      text = bash_script(commands);
    else if (*shell == "zsh")
      text = zsh_script(commands);
    else if (*shell == "fish")
      text = fish_script(commands);
    else
      throw_user_error(unknown_word_message("completion for", *shell, {"bash", "zsh", "fish"}));
    std::fputs(text.c_str(), stdout);
    *exit_code = kDone;
  });
}

}  // namespace stiction::cli
