import type { HoldingName } from './holdings.registry.ts';

interface Store {
  holding: HoldingName;
  /** The source files that write to it. */
  writers: readonly string[];
}

/** The files and logs that the server writes, and the schemas besides the portal's own. */
export const STORES: Readonly<Record<string, Store>> = {
  'DATA_DIR/postgres': {
    holding: 'school',
    writers: ['database/embedded.ts', 'database/private-folder.ts'],
  },
  'DATA_DIR/secrets.key': { holding: 'keys', writers: ['auth/secrets-key.ts'] },
  'DATA_DIR/outbox, without SMTP_URL': { holding: 'emails', writers: ['mail/mail.ts'] },
  'DATA_DIR, covers and previews': {
    holding: 'files',
    writers: [
      'features/books/book-content/originals.service.ts',
      'features/books/book-content/content-files.service.ts',
      'features/books/catalogue/catalogue-import.service.ts',
    ],
  },
  'DATA_DIR/local-url': { holding: 'files', writers: ['local-url.ts'] },
  'DATA_DIR/assets': { holding: 'files', writers: ['pages/recent-assets.ts'] },
  BACKUP_DIR: {
    holding: 'backups',
    writers: ['backups/backup.ts', 'backups/backup.jobs.ts', 'backups/backup-file.ts', 'backups/restore-test.jobs.ts'],
  },
  'the scratch database NAME_restore_test, and copies made with restore --into': { holding: 'backups', writers: [] },
  'BACKUP_DIR/last-numbers.json': { holding: 'backups', writers: ['backups/last-numbers.ts'] },
  'BACKUP_DIR/off-site.txt': { holding: 'backups', writers: ['backups/backup.ts'] },
  'BACKUP_DIR/erasures.txt': { holding: 'erasures', writers: ['features/privacy/erasure/erasure-list.service.ts'] },
  'BACKUP_DIR/audit-heads.txt': { holding: 'audit-log', writers: ['audit/audit-anchors.service.ts'] },
  'the schema audit': { holding: 'audit-log', writers: [] },
  'the schema pgboss': { holding: 'jobs', writers: [] },
  'standard output': { holding: 'logs', writers: ['http/server.ts'] },
};
