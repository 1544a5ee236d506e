#include <fmt/format.h>

#include "bench/claims/claim.h"

namespace stiction::claims {
namespace {

const char* verdict(const ClaimResult& result) {
  if (!result.holds) return "skipped";
  return *result.holds ? "holds" : "**differs**";
}

}  // namespace

std::string claims_page(const std::vector<ClaimRow>& rows, const std::string& figures) {
  std::string page =
      "# Claims\n\n"
      "What the papers behind the contact laws say, what we say beyond them, and whether it holds here. This "
      "page "
      "is written by\n\n"
      "```\nstiction claims --out docs/claims --page docs/claims.md\n```\n\n"
      "Every row runs its experiment and judges it by its criterion in code (`bench/claims/`, one file per "
      "row or "
      "group). `--only S4,I1`\nruns some rows, `--json` prints a list of `{id, statement, paper, ours, "
      "criterion, "
      "holds}`, `--out DIR` keeps the figures as CSV and\nSVG. A row that differs is printed as it is. "
      "`holds` is "
      "null for a row that was skipped because something it needs is missing;\n`ours` then says what.\n\n"
      "S: A. Castro, F. Permenter, X. Han, *An Unconstrained Convex Formulation of Compliant Contact* (SAP). "
      "I: A. Castro, X. Han,\nJ. Masterjohn, *Irrotational Contact Fields* (ICF). C: Q. Le Lidec, W. Jallet, "
      "L. "
      "Montaut, I. Laptev, C. Schmid, J. Carpentier,\n*Contact Models in Robotics: a Comparative Analysis*. "
      "B: "
      "ours. Times and ratios of times are of the machine that wrote the page.\n\n"
      "| row | where | verdict |\n|---|---|---|\n";
  for (const ClaimRow& row : rows)
    page += fmt::format(
        "| [{0}](#{1}) | {2} | {3} |\n", row.claim->id,
        [&] {
          std::string lower = row.claim->id;
          for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
          return lower;
        }(),
        row.claim->where, verdict(row.result));
  for (const ClaimRow& row : rows) {
    const Claim& claim = *row.claim;
    page += fmt::format("\n## {}\n{}. Set-up: {}.\n\n- says: {}\n- criterion: {}\n- ours: {}\n- {}\n",
                        claim.id, claim.where, claim.setup, claim.statement, claim.criterion, row.result.ours,
                        verdict(row.result));
    if (!figures.empty() && row.result.holds)
      page += fmt::format("\n![{0}]({1}/{0}.svg)\n", claim.id, figures);
  }
  return page;
}

}  // namespace stiction::claims
