import { Marked, type MarkedExtension } from 'marked';
import type { Plugin } from 'vite';
import { capitalised } from './src/capitalised.ts';
import { isTopic, titleOf } from './src/help/topic-names.ts';

const GUIDE = /\/docs\/[\w-]+\.md$/;

/** Turns the pages of docs/ that the dashboard imports into HTML. */
export function guides(): Plugin {
  return {
    name: 'guides',
    enforce: 'pre',
    transform(text, id) {
      if (!GUIDE.test(id)) return;
      return { code: `export const html = ${JSON.stringify(guideHtml(text))};`, map: null, moduleType: 'js' };
    },
  };
}

/** The page has a title of its own, so the first heading is left out, and so are diagrams, which would need a program. */
function guideHtml(markdown: string): string {
  return new Marked({ renderer }).parse(markdown.replace(/^# .*\n/, ''), { async: false });
}

const renderer: NonNullable<MarkedExtension['renderer']> = {
  code({ text, lang }) {
    return lang === 'mermaid' ? '' : `<pre class="code-block"><code>${escaped(text)}</code></pre>`;
  },

  heading({ tokens, depth, text }) {
    const id = text
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-');
    return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>`;
  },

  /** Tables have the same headings as those of the dashboard. */
  tablecell({ tokens, header }) {
    const content = this.parser.parseInline(tokens);
    return header ? `<th>${capitalised(content)}</th>` : `<td>${content}</td>`;
  },

  /** Links to other guides and to the internet stay. Other files are not part of the dashboard, so only their text stays. */
  link({ href, tokens }) {
    const text = this.parser.parseInline(tokens);
    if (/^https?:/.test(href)) return `<a href="${escaped(href)}" target="_blank" rel="noreferrer">${text}</a>`;
    const [, topic = '', hash = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
    // A file is called by its name only in the repository.
    const isFileName = text === `${topic}.md`;
    if (!isTopic(topic)) {
      if (isFileName) throw new Error(`A guide calls ${href} by its file name. Use its title, which members see.`);
      return text;
    }
    const name = isFileName ? escaped(titleOf(topic)) : text;
    return `<a href="${topic}${escaped(hash)}" data-topic="${topic}">${name}</a>`;
  },
};

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
