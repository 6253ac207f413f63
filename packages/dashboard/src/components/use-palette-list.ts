import { notifications } from '@mantine/notifications';
import { type ComponentType, useEffect, useState } from 'react';
import type { PaletteListProps } from './palette-list.tsx';

/** What the palette finds is loaded after the page. If that has failed, it is tried again when the palette is opened. */
export function usePaletteList(opened: boolean, onClose: () => void): ComponentType<PaletteListProps> | undefined {
  const [loaded, setLoaded] = useState<{ List: ComponentType<PaletteListProps> }>();
  useEffect(() => {
    if (loaded) return;
    import('./palette-list.tsx').then(
      ({ PaletteList }) => setLoaded({ List: PaletteList }),
      () => {
        if (!opened) return;
        onClose();
        const message = 'This could not be loaded. Load the page again when Rollcall is back.';
        notifications.show({ color: 'red', title: 'Rollcall cannot be reached', message });
      },
    );
  }, [loaded, opened, onClose]);
  return loaded?.List;
}
