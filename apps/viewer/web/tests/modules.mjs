// Modules of the page for tests without a browser: TypeScript is translated by the same tool that builds the page.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";

export const kWeb = dirname(dirname(fileURLToPath(import.meta.url)));

// importSources("track", "protocol", ...) resolves to one object with all that these modules export.
export async function importSources(...names) {
  const folder = mkdtempSync(join(tmpdir(), "stiction-units-"));
  try {
    await build({
      configFile: false,
      root: kWeb,
      logLevel: "error",
      build: {
        outDir: folder,
        minify: false,
        lib: { entry: Object.fromEntries(names.map((name) => [name, join(kWeb, "src", `${name}.ts`)])), formats: ["es"] },
      },
    });
    const parts = await Promise.all(names.map((name) => import(pathToFileURL(join(folder, `${name}.js`)))));
    return Object.assign({}, ...parts);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
