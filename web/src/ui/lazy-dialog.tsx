import { type ComponentType, lazy, Suspense, useState } from 'react';
import { useOnceAtRest } from './use-once-at-rest.ts';

/**
 * A dialog whose script comes once the page is at rest, or when it is opened: forms and their rules are much of a
 * page's script, and most visits open none.
 */
export function lazyDialog<Props extends { isOpen: boolean }>(load: () => Promise<ComponentType<Props>>) {
  const Loaded = lazy(async () => ({ default: await load() }));
  return function LazyDialog(props: Props) {
    const [wasOpened, setOpened] = useState(props.isOpen);
    if (props.isOpen && !wasOpened) setOpened(true);
    useOnceAtRest(load);
    if (!wasOpened) return null;
    return (
      <Suspense fallback={null}>
        <Loaded {...props} />
      </Suspense>
    );
  };
}
