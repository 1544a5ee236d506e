#pragma once
// The main function of a probe: a program that answers questions on standard input, which tests in Python
// compare with other engines. Errors go to standard error, with exit status 1.

#include <cstdio>
#include <exception>
#include <iostream>

#include <nlohmann/json.hpp>

namespace stiction {

template <class Body>
int run_probe(const Body& body) {
  try {
    body();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

// One question and one answer, both JSON: answer(question).
template <class Answer>
int answer_question(const Answer& answer) {
  return run_probe([&answer] {
    const nlohmann::json question = nlohmann::json::parse(std::cin);
    std::cout << answer(question).dump() << "\n";
  });
}

}  // namespace stiction
