#pragma once
// Opens an address in the browser of the desktop.
//
// The program that opens it gets no address but the name of a file, which only its owner can read and which
// leads to the address: arguments of programs can be read by everybody on the machine, and the address has a
// token in it. No shell is involved.

#include <string>

namespace stiction::cli {

class BrowserPage {
 public:
  // Nothing is opened where there is no screen; a failure is a message.
  explicit BrowserPage(const std::string& url);
  ~BrowserPage();
  BrowserPage(const BrowserPage&) = delete;
  BrowserPage& operator=(const BrowserPage&) = delete;

 private:
  std::string file_;  // empty: none
};

}  // namespace stiction::cli
