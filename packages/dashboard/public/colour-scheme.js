// Runs before the first paint, so that a dark page does not flash white. A file of its own: the policy allows no
// inline script. Kept in step with the colour scheme manager in src/main.tsx, which uses the same key.
(() => {
  const chosen = localStorage.getItem('rollcall-colour-scheme');
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
