#include <fmt/format.h>

#include "bench/claims/claim.h"

namespace stiction::claims {

namespace {

// As the page's links have it.
std::string anchor(std::string id) {
  for (char& c : id) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return id;
}

const char* emphasised(const ClaimRow& row) {
  return row.result.holds == false ? "**differs**" : verdict(row);
}

}  // namespace

std::string claims_page(const std::vector<ClaimRow>& rows, const std::string& figures) {
  std::string page =
      "# Claims\n\n"
      "What the papers behind the contact laws say, what we say beyond them, and whether it holds here. This "
      "page is written by\n\n"
      "```\nstiction claims --out docs/claims --page docs/claims.md\n```\n\n"
      "Every row runs its experiment and judges it by its criterion in code (`bench/claims/`, one file per "
      "row or group). `--only S4,I1`\nruns some rows, `--json` prints a list of `{id, statement, paper, "
      "ours, "
      "criterion, holds}`, `--out DIR` keeps the figures as CSV and\nSVG and the result of every row as "
      "`DIR/ID.json`: a page with `--only` takes all other rows from there. A row that differs is\nprinted "
      "as "
      "it is. `holds` is null for a row that is not built yet, and for one that was skipped because "
      "something "
      "it needs is\nmissing; `ours` then says so. What of a set-up the paper does not give, or has "
      "otherwise, is said in the line \"ours in the set-up\".\n\n"
      "S: A. Castro, F. Permenter, X. Han, *An Unconstrained Convex Formulation of Compliant Contact* (SAP). "
      "I: A. Castro, X. Han,\nJ. Masterjohn, *Irrotational Contact Fields* (ICF). G: N. Chakraborty, S. "
      "Berard, S. Akella, J. C. Trinkle, *A Geometrically\nImplicit Time-Stepping Method for Multibody "
      "Systems "
      "with Intermittent Contact*. C: Q. Le Lidec, W. Jallet, L. Montaut, I. Laptev,\nC. Schmid, J. "
      "Carpentier, *Contact Models in Robotics: a Comparative Analysis*. B: ours. Times and ratios of times "
      "are of the\nmachine that wrote the row.\n\n"
      "| row | where | verdict |\n|---|---|---|\n";
  for (const ClaimRow& row : rows)
    page += fmt::format("| [{}](#{}) | {} | {} |\n", row.claim->id, anchor(row.claim->id), row.claim->where,
                        emphasised(row));
  for (const ClaimRow& row : rows) {
    const Claim& claim = *row.claim;
    page += fmt::format("\n## {}\n{}. Set-up: {}.\n\n- ours in the set-up: {}\n- says: {}\n- criterion: {}\n",
                        claim.id, claim.where, claim.setup, claim.assumed, claim.statement, claim.criterion);
    if (claim.run) page += fmt::format("- ours: {}\n", row.result.ours);
    page += fmt::format("- {}\n", emphasised(row));
    if (figures.empty()) continue;
    for (const std::string& name : row.result.figures)
      page += fmt::format("\n![{0}]({1}/{0}.svg)\n", name, figures);
  }
  return page;
}

}  // namespace stiction::claims
