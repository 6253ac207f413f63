import { notifications } from '@mantine/notifications';
import { type ComponentType, useEffect, useState } from 'react';
import type { PaletteProps } from './command-palette.tsx';

/** The palette is loaded after the page, so that it opens at once. If that has failed, it is tried again when it is opened. */
export function LazyPalette(props: PaletteProps) {
  const { opened, onClose } = props;
  const [loaded, setLoaded] = useState<{ Palette: ComponentType<PaletteProps> }>();
  useEffect(() => {
    if (loaded) return;
    import('./command-palette.tsx').then(
      ({ CommandPalette }) => setLoaded({ Palette: CommandPalette }),
      () => {
        if (!opened) return;
        onClose();
        const message = 'This could not be loaded. Load the page again when Rollcall is back.';
        notifications.show({ color: 'red', title: 'Rollcall cannot be reached', message });
      },
    );
  }, [loaded, opened, onClose]);
  return loaded && <loaded.Palette {...props} />;
}
