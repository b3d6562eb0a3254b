import type { ReactNode } from 'react';
import { useCanChange } from '../school.api.ts';

/** Controls that change data. A closed school has none: the banner above every page says why. */
export const WhileOpen = ({ children }: { children: ReactNode }) => (useCanChange() ? children : null);
