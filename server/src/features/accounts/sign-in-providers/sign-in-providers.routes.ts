import type { SignInConnection as Shown } from '#contract/calls/sign-in-providers.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import {
  endProviderSessions,
  forgetProviderFactors,
  type LinkedAccount,
  listLinkedAccounts,
} from '../../../auth/linked-accounts.queries.ts';
import { NO_PASSWORD } from '../../../auth/password-hashing.ts';
import {
  findConnection,
  listConnections,
  removeConnection,
  saveConnection,
  type SignInConnection,
} from './sign-in-connections.queries.ts';
import { withPlatform } from '../../../database/platform.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import type { SignInProvider } from '../../../sign-in-settings.ts';
import { getCredentials } from '../access/access.public.ts';
import { assertCanSetUp, canLink, getProvider, unlinkAccount } from './linked-accounts.service.ts';
import { makeLinkUrl } from './sign-in-flow.service.ts';

const show = (
  { id, name }: SignInProvider,
  connection: SignInConnection | undefined,
  account: LinkedAccount | undefined,
): Shown => ({
  provider: id,
  name,
  connection: connection
    ? {
        tenant: connection.tenant,
        counts_second_factor: connection.countsSecondFactor,
        created_at: connection.createdAt.toISOString(),
      }
    : null,
  own_account: account ? { tenant: account.tenant } : null,
});

const listOwnAccounts = (db: SchoolDb, userId: number) =>
  withPlatform(db, (platform) => listLinkedAccounts(platform, userId));

export const signInProviderHandlers = defineHandlers({
  listLinkedAccounts: {
    handle: async ({ db, me, services: { config } }) => {
      const { password_hash: passwordHash } = await getCredentials(db, me.userId);
      const accounts = await listLinkedAccounts(db, me.userId);
      const providers = [];
      for (const { id, name } of config.signInProviders)
        if (accounts.every(({ provider }) => provider !== id) && (await canLink(db, me, id)))
          providers.push({ id, name });
      return {
        has_password: passwordHash !== NO_PASSWORD,
        accounts: accounts.map(({ id, provider, createdAt, lastUsedAt }) => ({
          id,
          provider,
          name: config.signInProviders.find((candidate) => candidate.id === provider)?.name ?? provider,
          created_at: createdAt.toISOString(),
          last_used_at: lastUsedAt?.toISOString() ?? null,
        })),
        providers,
      };
    },
  },
  linkAccount: {
    handle: async ({ db, me, body, now, services: { config } }) => {
      const { id } = getProvider(config, body.provider);
      if (!(await canLink(db, me, id))) throw new AppError('provider_not_connected');
      return { url: makeLinkUrl(config, id, { userId: me.userId, isSetUp: false }, now) };
    },
  },
  setUpWithProvider: {
    handle: async ({ db, me, body, now, services: { config } }) => {
      await assertCanSetUp(db, me);
      const { id } = getProvider(config, body.provider);
      if (!(await canLink(db, me, id))) throw new AppError('provider_not_connected');
      return { url: makeLinkUrl(config, id, { userId: me.userId, isSetUp: true }, now) };
    },
  },
  unlinkAccount: {
    handle: async ({ db, me, params, now, services: { config } }) => {
      await unlinkAccount(db, me, params.linkedAccountId, now, config);
      return {};
    },
  },

  listSignInConnections: {
    handle: async ({ db, me, services: { config } }) => {
      const connections = await listConnections(db);
      const accounts = await listOwnAccounts(db, me.userId);
      return {
        connections: config.signInProviders.map((provider) =>
          show(
            provider,
            connections.find((connection) => connection.provider === provider.id),
            accounts.find((account) => account.provider === provider.id),
          ),
        ),
      };
    },
  },
  saveSignInConnection: {
    handle: async ({ db, me, params, body, now, services: { config } }) => {
      const provider = getProvider(config, params.provider);
      const account = (await listOwnAccounts(db, me.userId)).find((linked) => linked.provider === provider.id);
      const before = await findConnection(db, provider.id);
      if (!before && !account) throw new AppError('account_not_linked');
      const tenant = before ? before.tenant : (account?.tenant ?? null);
      const { counts_second_factor: countsSecondFactor } = body;
      await saveConnection(db, { provider: provider.id, tenant, countsSecondFactor }, now);
      if (!countsSecondFactor)
        await withPlatform(db, (platform) => forgetProviderFactors(platform, db.schoolId, provider.id));
      if (!before || before.countsSecondFactor !== countsSecondFactor)
        await recordChange(db, me, now, {
          action: 'login_connection_changed',
          subjectKind: 'school',
          subjectId: db.schoolId,
          details: { provider: provider.name, tenant, counts_second_factor: countsSecondFactor },
        });
      return { connection: show(provider, await findConnection(db, provider.id), account) };
    },
  },
  removeSignInConnection: {
    handle: async ({ db, me, params, now, services: { config } }) => {
      if (!(await removeConnection(db, params.provider))) throw new AppError('not_found');
      await withPlatform(db, (platform) => endProviderSessions(platform, db.schoolId, params.provider));
      const name = config.signInProviders.find(({ id }) => id === params.provider)?.name ?? params.provider;
      await recordChange(db, me, now, {
        action: 'login_connection_removed',
        subjectKind: 'school',
        subjectId: db.schoolId,
        details: { provider: name },
      });
      return {};
    },
  },
});
