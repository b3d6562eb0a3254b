import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { sendMail } from '../../../mail/mail.ts';
import { NO_PEOPLE } from '../../../mail/outbox.queries.ts';
import { findStaffContact } from '../../accounts/access/access.public.ts';
import { getSchoolRow } from '../../school/school/school.public.ts';
import { enquiryMail } from './enquiries.mail.ts';
import { contactRequestMail } from './contact-requests.mail.ts';

export const contactRequestHandlers = defineHandlers({
  sendEnquiry: {
    handle: async ({ db, me, body, now, services: { config } }) => {
      const [person, school] = [await findStaffContact(db, me.userId), await getSchoolRow(db)];
      if (!person) throw new AppError('unauthorised');
      const { first_name, last_name, email, role } = person;
      const enquirer = { name: `${first_name} ${last_name}`, email, role, school };
      await sendMail(
        db,
        enquiryMail(config.productName, config.support.email, enquirer, body),
        { users: [me.userId] },
        now,
      );
      return {};
    },
  },
  requestContact: {
    handle: async ({ db, params, body, now, services: { config } }) => {
      await sendMail(
        db,
        contactRequestMail(config.productName, config.contactEmail, { ...body, action: params.action }),
        NO_PEOPLE,
        now,
      );
      return {};
    },
  },
});
