import { useEffect, useState } from 'react';

/** As high as the largest usual message. With less room than that below the dock, messages are above it. */
const MESSAGE_PX = 120;

/** Lets messages know how much room the dock takes at the end of the window. Returns the function that is told the dock. */
export function useDockHeight(): (dock: HTMLElement | null) => void {
  const [dock, setDock] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (!dock) return;
    const { style } = document.documentElement;
    const measure = () => style.setProperty('--dock-height', `${roomTakenBy(dock)}px`);
    const observer = new ResizeObserver(measure);
    // It moves when the page gets longer or shorter, or is scrolled to its end, where it does not stick to the window any more.
    for (const element of [dock, dock.parentElement]) if (element) observer.observe(element);
    window.addEventListener('scroll', measure, { passive: true });
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', measure);
      window.removeEventListener('resize', measure);
      style.removeProperty('--dock-height');
    };
  }, [dock]);
  return setDock;
}

function roomTakenBy(dock: HTMLElement): number {
  const { top, bottom, height } = dock.getBoundingClientRect();
  return height === 0 || innerHeight - bottom >= MESSAGE_PX ? 0 : innerHeight - top;
}
