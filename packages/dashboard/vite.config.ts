import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressAndMeasure } from './first-load.ts';
import { guides } from './guides-plugin.ts';
import { preloadFont } from './preload-font.ts';

/** Scripts that several pages share are joined until they have this size. Larger ones would make the first load larger. */
const SMALL_BYTES = 5000;

export default defineConfig({
  plugins: [react(), guides(), preloadFont(), compressAndMeasure()],
  resolve: { alias: { '#contract': fileURLToPath(new URL('../server/src/console/contract', import.meta.url)) } },
  logLevel: 'warn',
  build: {
    // Code for browsers that are years old would make the pages larger for everybody else.
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    // An inlined file would be a `data:` address, which the content security policy allows only for images.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'] },
            // A page would otherwise load dozens of tiny files, each of which costs the browser more than its bytes.
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: SMALL_BYTES },
          ],
        },
      },
    },
  },
});
