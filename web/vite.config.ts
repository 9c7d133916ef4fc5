import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const FIRST_LOAD_LIMIT_KB = 100;
const here = import.meta.dirname;

/** What pdf.js fetches by name at run time: fonts and decoders that a PDF may need. Served from our own host. */
function pdfResources(): Plugin {
  return {
    name: "pdf-resources",
    apply: "build",
    generateBundle() {
      for (const folder of ["cmaps", "standard_fonts", "wasm", "iccs"]) {
        const from = join(here, "node_modules/pdfjs-dist", folder);
        for (const name of readdirSync(from)) {
          // The JavaScript twins of the decoders are for engines without WebAssembly, which cannot run this page anyway;
          // quickjs runs scripts in forms, which the viewer never does.
          if (name.endsWith("_nowasm_fallback.js") || name.startsWith("quickjs")) continue;
          this.emitFile({ type: "asset", fileName: `assets/pdfjs/${folder}/${name}`, source: readFileSync(join(from, name)) });
        }
      }
    },
  };
}

/** Prints what a first visit transfers and fails the build above the limit. */
function firstLoad(): Plugin {
  return {
    name: "first-load",
    apply: "build",
    writeBundle(options, bundle) {
      const entry = Object.values(bundle).find((file) => file.type === "chunk" && file.isEntry);
      if (entry?.type !== "chunk") throw new Error("the build has no entry");
      const files = new Set<string>(["index.html", entry.fileName, ...(entry.viteMetadata?.importedCss ?? [])]);
      const queue = [...entry.imports];
      for (let name = queue.pop(); name; name = queue.pop()) {
        const chunk = bundle[name];
        if (files.has(name) || chunk?.type !== "chunk") continue;
        files.add(name);
        for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css);
        queue.push(...chunk.imports);
      }
      let total = 0;
      for (const name of files) total += gzipSync(readFileSync(join(options.dir ?? "", name)), { level: 9 }).length;
      const kb = total / 1000;
      console.log(`first load: ${kb.toFixed(1)} kB gzipped in ${files.size} files (limit ${FIRST_LOAD_LIMIT_KB} kB)`);
      if (kb > FIRST_LOAD_LIMIT_KB) throw new Error(`first load is ${kb.toFixed(1)} kB, above ${FIRST_LOAD_LIMIT_KB} kB`);
    },
  };
}

/** `npm run dev` without the Python server: the recorded library of dev/. Never part of a build. */
function recordedServer(): Plugin {
  return {
    name: "recorded-server",
    apply: "serve",
    async configureServer(server) {
      if (process.env["PINCITE_SERVER"] || process.env["VITEST"]) return;
      // By address, so that the configuration of a build does not pull it in.
      const { recorded } = (await import(new URL("dev/mock.ts", import.meta.url).href)) as typeof import("./dev/mock.ts");
      server.middlewares.use((request, response, next) => void recorded(request, response).then((known) => known || next()));
    },
  };
}

export default defineConfig({
  base: "/",
  plugins: [pdfResources(), firstLoad(), recordedServer()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../src/pincite/serve/static",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    reportCompressedSize: false,
  },
  server: {
    ...(process.env["PINCITE_SERVER"] ? { proxy: { "/api": process.env["PINCITE_SERVER"] } } : {}),
  },
  // Properties take their time on a busy machine; how fast anything is, benchmarks say.
  test: { environment: "jsdom", testTimeout: 60_000, include: ["tests/**/*.test.{ts,tsx}"] },
});
