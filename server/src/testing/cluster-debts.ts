/**
 * Statements that break a rule of a cluster and are known to: a part of each, and what it costs there. The list may
 * only become shorter.
 */
export const CLUSTER_DEBTS: Record<string, string> = {
  'from sessions s': 'Finds who asks, before each request: it runs, and reads accounts and staff on every machine.',
  'from users u\n':
    'Finds an account with its school: it runs, on every machine; but in a transaction that has written the school, as when an account changes its digest, registers a school or accepts an invite, a cluster refuses it.',
};
