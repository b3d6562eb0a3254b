import { FileReply } from '../../../file-reply.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { userGuide } from './help.service.ts';

export const helpHandlers = defineHandlers({
  getUserGuide: {
    answer: async ({ services: { config } }) =>
      new FileReply('application/pdf', 'user-guide.pdf', await userGuide('guide', config.productName)),
  },
});
