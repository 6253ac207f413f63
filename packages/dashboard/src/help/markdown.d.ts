/** The build turns Markdown into HTML. */
declare module '*.md' {
  export const html: string;
}
