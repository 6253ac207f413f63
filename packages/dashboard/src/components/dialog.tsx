import { Modal, type ModalProps } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { focusHeading } from './focus-heading.ts';
import { Notice } from './notice.tsx';

interface DialogProps extends Omit<ModalProps, 'opened' | 'centered' | 'returnFocus'> {
  /** Whether it shows what is shown only once, so that a stray click or key press must not close it. */
  isShownOnce?: boolean;
}

/** A dialog that is open as long as it is rendered. When it goes, the focus returns to what opened it. */
export function Dialog({ isShownOnce = false, children, ...props }: DialogProps) {
  useReturnFocus();
  const isLocked = isShownOnce && { closeOnClickOutside: false, closeOnEscape: false };
  return (
    <Modal opened centered {...props} {...isLocked}>
      {isShownOnce && <StayHint />}
      {children}
    </Modal>
  );
}

/** Whoever wants to close the dialog with Escape, or leaves the page with it, learns why it stays. */
function StayHint() {
  const [isWanted, setIsWanted] = useState(false);
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && setIsWanted(true));
  useBlocker({
    shouldBlockFn: () => {
      setIsWanted(true);
      return true;
    },
    enableBeforeUnload: true,
  });
  if (!isWanted) return null;
  return (
    <div className="escape-hint">
      <Notice tone="warning">
        This stays open, because it cannot be shown again. Use the button at the end when you have stored it.
      </Notice>
    </div>
  );
}

function useReturnFocus(): void {
  // While it is rendered for the first time, because the focus moves into the dialog right after that.
  const [opener] = useState(() => openerOf(document.activeElement));
  useEffect(
    () => () => {
      // Somebody else may have moved it already, to what the dialog was about.
      if (document.activeElement !== document.body) return;
      if (opener instanceof HTMLElement && opener !== document.body && opener.isConnected) opener.focus();
      else focusHeading();
    },
    [opener],
  );
}

/** What was chosen in a menu goes with the menu, whose button stays. */
function openerOf(focused: Element | null): Element | null {
  const menu = focused?.closest('[role=menu]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused;
}
