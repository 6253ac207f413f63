// Runs before the first paint, so that a dark page does not flash white. It is a separate file because the content
// security policy allows no inline scripts. The colour scheme manager in src/main.tsx uses the same key.
(() => {
  const chosen = localStorage.getItem('rollcall-colour-scheme');
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
