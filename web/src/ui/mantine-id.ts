import { useId as useReactId } from 'react';

/**
 * In place of Mantine's own, by `vite.config.ts`. That gives each field another id as soon as it is there, so that a
 * page that came drawn is drawn once more, in one piece, while the browser answers nobody.
 */
export function useId(given?: string): string {
  const id = useReactId();
  return given ?? `mantine-${id.replaceAll(':', '')}`;
}
