import { listLinkedAccounts } from '../../../auth/linked-accounts.queries.ts';
import { NO_PASSWORD } from '../../../auth/password-hashing.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { getCredentials } from '../access/access.public.ts';
import { assertCanSetUp, canLink, getProvider, listAllowed, unlinkAccount } from './linked-accounts.service.ts';
import { allowProvider, describeSignIn, removeProvider, updateProviderOnly } from './school-sign-in.service.ts';
import { makeLinkUrl } from './sign-in-flow.service.ts';

export const signInProviderHandlers = defineHandlers({
  listLinkedAccounts: {
    handle: async ({ db, me, services: { config } }) => {
      const { password_hash: passwordHash } = await getCredentials(db, me.userId);
      const accounts = await listLinkedAccounts(db, me.userId);
      const providers = [];
      for (const { id, name } of config.signInProviders)
        if (accounts.every(({ provider }) => provider !== id) && (await canLink(db, me, id)))
          providers.push({ id, name });
      const allowed = await listAllowed(db, me.schoolId, accounts);
      return {
        has_password: passwordHash !== NO_PASSWORD,
        accounts: accounts.map(({ id, provider, createdAt, lastUsedAt }) => ({
          id,
          provider,
          name: config.signInProviders.find((candidate) => candidate.id === provider)?.name ?? provider,
          created_at: createdAt.toISOString(),
          last_used_at: lastUsedAt?.toISOString() ?? null,
          is_allowed: allowed.has(id),
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

  listSignInConnections: { handle: ({ db, me, services: { config } }) => describeSignIn(db, me, config) },
  saveSignInConnection: {
    handle: async ({ db, me, params, body, now, services: { config } }) => {
      const change = { id: params.provider, countsSecondFactor: body.counts_second_factor };
      return { connection: await allowProvider(db, me, change, now, config) };
    },
  },
  setProviderOnly: {
    handle: async ({ db, me, body, now, services: { config } }) => {
      await updateProviderOnly(db, me, body.provider_only, now);
      return describeSignIn(db, me, config);
    },
  },
  removeSignInConnection: {
    handle: async ({ db, me, params, now, services: { config } }) => {
      await removeProvider(db, me, params.provider, now, config);
      return {};
    },
  },
});
