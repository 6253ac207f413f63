import { Modal, useMantineColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { LazyAddClientDialog, lastClientsSearch, searchOfView } from '../clients/index.ts';
import { LazyCreateKeyDialog } from '../credentials/index.ts';
import { otherEnvironment, useEnvironment } from '../environment.ts';
import { loadPage } from '../load-page.ts';
import { LazyInviteDialog } from '../members/index.ts';
import { signOut } from '../sign-out.ts';
import { useSwitchEnvironment } from './environment-switch.tsx';
import { focusWhenShown } from './focus-when-shown.ts';
import type { PaletteDeeds } from './palette-entries.ts';
import { PaletteField, PaletteFooter } from './palette-field.tsx';
import { usePaletteList } from './use-palette-list.ts';
import { useFromHere } from './way-back.ts';

/** Of the button that exports the list of clients. */
export const EXPORT_BUTTON_ID = 'export-clients';

interface PaletteProps {
  opened: boolean;
  onClose(): void;
  onHelp(): void;
}

/** The dialogs that can be opened on any page. */
const DIALOGS = { client: LazyAddClientDialog, key: LazyCreateKeyDialog, member: LazyInviteDialog };

/** Opened with Ctrl/⌘ K: finds clients, groups, views, API keys and pages, and does what can be done on every page. */
export function CommandPalette({ opened, onClose, onHelp }: PaletteProps) {
  const [dialog, setDialog] = useState<keyof typeof DIALOGS>();
  const deeds = usePaletteDeeds({ openDialog: setDialog, onHelp });
  const List = usePaletteList(opened, onClose);
  const Dialog = dialog && DIALOGS[dialog];
  return (
    <>
      {opened && <OpenPalette List={List} deeds={deeds} onClose={onClose} />}
      <Suspense fallback={null}>{Dialog && <Dialog onClose={() => setDialog(undefined)} />}</Suspense>
    </>
  );
}

interface OpenPaletteProps {
  /** Missing while it is loading. */
  List: ReturnType<typeof usePaletteList>;
  deeds: PaletteDeeds;
  onClose(): void;
}

/** There at once, without a transition and also while the list is loading, so that no key is lost or meant for the page. */
function OpenPalette({ List, deeds, onClose }: OpenPaletteProps) {
  const [text, setText] = useState('');
  const [focusBefore] = useState(document.activeElement);
  /** Whoever chooses nothing goes on where they were. Otherwise, what was chosen decides where the focus goes. */
  const dismiss = () => {
    onClose();
    if (focusBefore instanceof HTMLElement) focusBefore.focus();
  };
  return (
    <Modal.Root opened onClose={dismiss} size={600} yOffset={80} returnFocus={false}>
      <Modal.Overlay />
      <Modal.Content aria-label="Go to">
        {List ? (
          <List text={text} onText={setText} deeds={deeds} onClose={onClose} />
        ) : (
          <>
            <PaletteField value={text} onText={setText} />
            <PaletteFooter>Loading…</PaletteFooter>
          </>
        )}
      </Modal.Content>
    </Modal.Root>
  );
}

interface PaletteDoors {
  openDialog(dialog: keyof typeof DIALOGS): void;
  onHelp(): void;
}

function usePaletteDeeds({ openDialog, onHelp }: PaletteDoors): PaletteDeeds {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const switchTo = useSwitchEnvironment();
  const { setColorScheme } = useMantineColorScheme();
  const params = { environment };
  const fromHere = useFromHere();
  return {
    openPage: (to) => navigate({ to, params }),
    openClient: (referenceId) =>
      navigate({ to: '/$environment/clients/$referenceId', params: { ...params, referenceId }, state: fromHere }),
    openGroup: (group) => navigate({ to: '/$environment/clients', params, search: { group } }),
    openView: (filters) => navigate({ to: '/$environment/clients', params, search: searchOfView(filters) }),
    openKey: (keyId) => navigate({ to: '/$environment/settings/api-credentials/$keyId', params: { ...params, keyId } }),
    addClient: () => openDialog('client'),
    // Which clients are exported is chosen there, so the member presses the button.
    exportClients: async () => {
      await navigate({ to: '/$environment/clients', params, search: lastClientsSearch(environment) });
      await focusWhenShown(EXPORT_BUTTON_ID);
    },
    createKey: () => openDialog('key'),
    inviteMember: () => openDialog('member'),
    switchEnvironment: () => switchTo(otherEnvironment(environment)),
    setTheme: setColorScheme,
    showShortcuts: onHelp,
    switchAccount: () => loadPage('/sign-in?step=switch'),
    signOut,
  };
}
