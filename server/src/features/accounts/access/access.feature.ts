import { defineFeature } from '../../../feature.ts';
import { accessHandlers } from './access.routes.ts';
import { accountHandlers } from './accounts.routes.ts';
import { emailAddressHandlers } from './email-address.routes.ts';
import { emailConfirmationJob } from './email-confirmation.jobs.ts';
import { dueEmailChangesJob, loginFailureJob, passwordResetJob } from './access.jobs.ts';
import { passwordResetHandlers } from './password-reset.routes.ts';

export const accessFeature = defineFeature({
  handlers: {
    ...accessHandlers,
    ...accountHandlers,
    ...passwordResetHandlers,
    ...emailAddressHandlers,
  },
  jobs: (services) => [
    passwordResetJob(services),
    emailConfirmationJob(services),
    dueEmailChangesJob(services),
    loginFailureJob(services),
  ],
});
