import { EXPIRED, type TableEntry } from './table-entry.registry.ts';

/** The tables of the registry about accounts, logins and requests. */
export const LOGIN_TABLES = {
  sessions: {
    endsWithSchool: true,
    holding: 'sessions',
    pupil: 'pupil_id',
    user: 'user_id',
    people: ['impersonator_id'],
    rules: [
      { key: ['token_hash'], column: 'expires_at', since: 'for at most 90 days; support sessions for 1 hour', days: 0 },
      { key: ['token_hash'], column: 'last_used_at', since: 'after the last use', days: 30 },
    ],
  },
  programs: {
    holding: 'programs',
    people: ['made_by', 'responsible_id'],
    rules: [
      {
        key: ['school_id', 'id'],
        column: 'ended_at',
        since: 'after it ended, as long as Changes name it',
        months: 24,
        where: 'ended_at is not null',
      },
    ],
  },
  program_tokens: { holding: 'programs', endsWithSchool: true },
  login_events: {
    holding: 'login-events',
    pupil: 'pupil_id',
    user: 'user_id',
    rules: [{ key: ['school_id', 'id'], column: 'at', since: 'after the login', months: 12 }],
  },
  trusted_networks: {
    holding: 'trusted-networks',
    rules: [{ key: ['school_id', 'network_hash'], column: 'last_used_at', since: 'after the last login', days: 30 }],
  },
  devices: {
    holding: 'devices',
    user: 'user_id',
    rules: [{ key: ['user_id', 'token_hash'], column: 'last_used_at', since: 'after the last login', days: 365 }],
  },
  login_factors: {
    holding: 'second-factors',
    user: 'user_id',
    rules: [
      {
        key: ['id'],
        column: 'created_at',
        since: 'after an addition that was not completed',
        days: 1,
        where: 'confirmed_at is null',
      },
    ],
  },
  linked_accounts: { holding: 'linked-accounts', user: 'user_id' },
  factor_recoveries: {
    holding: 'second-factors',
    user: 'user_id',
    people: ['requested_by', 'confirmed_by'],
  },
  recovery_codes: { holding: 'second-factors', user: 'user_id' },
  login_steps: {
    endsWithSchool: true,
    holding: 'links',
    user: 'user_id',
    rules: [{ key: ['token_hash'], ...EXPIRED, since: 'for at most 15 minutes (a login that was not completed)' }],
  },
  one_time_links: {
    endsWithSchool: true,
    holding: 'links',
    user: 'user_id',
    people: ['operator_id'],
    rules: [
      {
        key: ['token_hash'],
        ...EXPIRED,
        since:
          'for 1 minute (support), 60 minutes (new password), 7 days (set-up, confirming an address, ending a session) or 8 days (stopping a change of address)',
      },
    ],
  },
  email_changes: {
    holding: 'links',
    user: 'user_id',
    rules: [
      {
        key: ['user_id'],
        ...EXPIRED,
        since: 'for 7 days, while the new address is not confirmed',
        where: 'confirmed_at is null',
      },
    ],
  },
  idempotency_keys: {
    endsWithSchool: true,
    holding: 'idempotency-keys',
    rules: [{ key: ['actor', 'key_hash'], column: 'created_at', since: 'after the request', days: 1 }],
  },
  rate_limits: {
    holding: 'rate-limits',
    rules: [
      { key: ['key'], column: 'window_ends_at', since: 'until the window of counting ends, at most 1 hour', days: 0 },
    ],
  },
} satisfies Record<string, TableEntry>;
