import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// One self-contained file: a page opened from disk may load neither modules nor data from its neighbours.
export default defineConfig({
  base: "./",
  plugins: [viteSingleFile()],
  build: { outDir: "dist", target: "es2022", chunkSizeWarningLimit: 4096 },
});
