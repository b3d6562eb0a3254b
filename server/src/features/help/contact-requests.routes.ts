import { defineHandlers } from '../../http/pipeline.ts';
import { sendMail } from '../../mail/mail.ts';
import { contactRequestMail } from './contact-requests.mail.ts';

export const contactRequestHandlers = defineHandlers({
  requestContact: {
    handle: async ({ db, params, body, now, services: { config } }) => {
      await sendMail(
        db,
        contactRequestMail(config.productName, config.contactEmail, { ...body, action: params.action }),
        now,
      );
      return {};
    },
  },
});
