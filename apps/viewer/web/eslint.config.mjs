import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["node_modules/", "dist/"] },
  js.configs.recommended,
  {
    files: ["src/**/*.ts", "vite.config.ts"],
    extends: [...tseslint.configs.strict, ...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: "error",
      "no-console": "error",
      // Numbers in messages are what messages are for.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    files: ["tests/**/*.mjs"],
    languageOptions: {
      globals: Object.fromEntries(
        ["process", "console", "Buffer", "URL", "window", "document", "performance", "setTimeout", "getComputedStyle",
          "Event", "structuredClone"].map((name) => [name, "readonly"]),
      ),
    },
  },
);
