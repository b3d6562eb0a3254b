import { defineFeature } from '../../../feature.ts';
import { accessHandlers } from './access.routes.ts';
import { accountActivationHandlers } from './account-activation.routes.ts';
import { accountHandlers } from './accounts.routes.ts';
import { emailChangeHandlers } from './email-change.routes.ts';
import { emailConfirmationJob } from './email-confirmation.jobs.ts';
import { emailConfirmationHandlers } from './email-confirmation.routes.ts';
import { dueEmailChangesJob, loginFailureJob, passwordResetJob } from './access.jobs.ts';
import { passwordResetHandlers } from './password-reset.routes.ts';

export const accessFeature = defineFeature({
  handlers: {
    ...accessHandlers,
    ...accountHandlers,
    ...passwordResetHandlers,
    ...accountActivationHandlers,
    ...emailConfirmationHandlers,
    ...emailChangeHandlers,
  },
  jobs: (services) => [
    passwordResetJob(services),
    emailConfirmationJob(services),
    dueEmailChangesJob(services),
    loginFailureJob(services),
  ],
});
