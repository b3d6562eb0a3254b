/**
 * Does nothing itself: policies are recreated after every migration. Since this one, a query without a school returns no
 * rows instead of an error, which a cluster requires when the platform writes.
 */
export const up = async (): Promise<void> => undefined;
