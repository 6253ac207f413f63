import type { Plugin } from 'vite';

/** The letters of almost every page; those of other languages are loaded where they occur. */
const FONT = /(^|\/)inter-latin-wght-normal\b.*\.woff2$/;

/** Lets the browser load the font together with the scripts, instead of after the styles, so that the text does not change. */
export function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const font = Object.keys(bundle).find((name) => FONT.test(name));
        if (font === undefined) throw new Error('The font is not among the built files.');
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${font}` };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}
