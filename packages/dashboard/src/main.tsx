import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './fonts.css';
import './styles.css';
import './print.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ProofPromptProvider } from './components/proof-prompt.tsx';
import { PageNotLoaded } from './lazy-page.ts';
import { queryClient } from './query-client.ts';
import { router } from './router.tsx';
import { cssVariables, theme } from './theme.ts';

const colourScheme = localStorageColorSchemeManager({ key: 'rollcall-colour-scheme' });

// A page that the browser restores with the back button must not show data from before the member signed out.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) window.location.reload();
});

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');
createRoot(root, { onCaughtError: reportDefect }).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colourScheme}
      defaultColorScheme="auto"
    >
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queryClient}>
        <ProofPromptProvider>
          <RouterProvider router={router} />
        </ProofPromptProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);

/** A page says itself that it could not be loaded. */
function reportDefect(error: unknown): void {
  if (!(error instanceof PageNotLoaded)) reportError(error);
}
