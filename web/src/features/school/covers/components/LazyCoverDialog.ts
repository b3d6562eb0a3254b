import { lazyDialog } from '../../../../ui/lazy-dialog.tsx';

/** Gives a class to someone who covers it. */
export const CoverDialog = lazyDialog(async () => (await import('./CoverDialog.tsx')).CoverDialog);
