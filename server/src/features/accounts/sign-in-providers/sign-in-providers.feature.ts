import { defineFeature } from '../../../feature.ts';
import { signInProviderHandlers } from './sign-in-providers.routes.ts';
import type { Invitations } from './sign-in.service.ts';
import { serveSignIn } from './sign-in.routes.ts';

export const signInProvidersFeature = (invitations: Invitations) =>
  defineFeature({
    handlers: signInProviderHandlers,
    serve: (app, services) => serveSignIn(app, services, invitations),
  });
