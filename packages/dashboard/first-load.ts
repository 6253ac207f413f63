import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

const FIRST_LOAD_MAX_BYTES = 250_000;

/** Writes a compressed copy beside each file, and fails the build when the first load is larger than promised. */
export function compressAndMeasure(): Plugin {
  return {
    name: 'compress-and-measure',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const [name, file] of Object.entries(bundle)) {
        if (!/\.(js|css|svg)$/.test(name)) continue;
        const content = Buffer.from(file.type === 'chunk' ? file.code : file.source);
        writeFileSync(join(dir, `${name}.gz`), gzipSync(content, { level: 9 }));
        writeFileSync(
          join(dir, `${name}.br`),
          brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
        );
      }
      const bytes = firstLoad(bundle).reduce((sum, chunk) => sum + gzipSync(chunk.code, { level: 9 }).length, 0);
      const text = `dashboard: ${(bytes / 1000).toFixed(0)} KB of script (gzip) in the first load`;
      if (bytes > FIRST_LOAD_MAX_BYTES) this.error(`${text}; the limit is ${FIRST_LOAD_MAX_BYTES / 1000} KB`);
      process.stderr.write(`${text}\n`);
    },
  };
}

/** The entry with everything that it imports, and the overview, which is the largest page to start on. */
function firstLoad(bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] {
  const chunks = new Map(
    Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])),
  );
  const seen = new Set<Rolldown.OutputChunk>();
  const visit = (name: string) => {
    const chunk = chunks.get(name);
    if (!chunk || seen.has(chunk)) return;
    seen.add(chunk);
    chunk.imports.forEach(visit);
  };
  for (const chunk of chunks.values()) {
    if (chunk.isEntry || /(^|\/)(shell|overview)\b/.test(chunk.name)) visit(chunk.fileName);
  }
  return [...seen];
}
