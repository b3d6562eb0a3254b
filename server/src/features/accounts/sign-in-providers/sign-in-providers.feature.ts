import { defineFeature } from '../../../feature.ts';
import { signInProviderHandlers } from './sign-in-providers.routes.ts';
import { serveSignIn } from './sign-in.routes.ts';

export const signInProvidersFeature = defineFeature({ handlers: signInProviderHandlers, serve: serveSignIn });
