import type { SubjectRequest } from '#contract/calls/subject-requests.ts';
import type { RequestKind, RequestStep } from '#contract/rights.ts';

/** What screens call a kind of request. */
interface RequestWords {
  /** In lists and filters: `Copy of the data`. */
  name: string;
  /** On the page that offers the kinds: when to choose it. */
  explanation: string;
  /** The heading of a request about someone. */
  title: (person: string) => string;
  noun: 'request' | 'complaint';
  /** The buttons. */
  record: string;
  close: string;
  /** The field for what the person asks for, with an example; absent where everything is asked for. */
  details?: { label: string; example: string };
  /** How it can end: what was asked for was done, or not. */
  outcomes: { released: Outcome; not_released: Outcome };
}

interface Outcome {
  /** After it is closed. */
  state: string;
  /** The choice on closing it. */
  choice: string;
  /** The field that explains it, with an example. */
  note: string;
  example: string;
}

const REQUEST = { noun: 'request', record: 'Record the request', close: 'Close the request' } as const;

const handedOver = (what: string): RequestWords['outcomes'] => ({
  released: {
    state: 'Released',
    choice: `The ${what} was handed over`,
    note: 'To whom and how',
    example: '“To Gwen Marsh, on paper, at the office.”',
  },
  not_released: {
    state: 'Closed without release',
    choice: 'Nothing was handed over',
    note: 'Why not',
    example: '“The parent withdrew the request.”',
  },
});

const WHAT_AND_HOW = 'What was done, and what you told the person';
const WHY_NOT = 'Why not, and what you told the person';

export const REQUEST_WORDS: Readonly<Record<RequestKind, RequestWords>> = {
  access: {
    name: 'Copy of the data',
    explanation: 'Everything you hold about the person. This is a subject access request. You have a month.',
    title: (person) => `Everything about ${person}`,
    ...REQUEST,
    outcomes: handedOver('file'),
  },
  educational_record: {
    name: 'Educational record',
    explanation:
      'A parent’s own right, in England, at maintained schools and non-maintained special schools. You have 15 school days.',
    title: (person) => `Educational record of ${person}`,
    ...REQUEST,
    outcomes: handedOver('record'),
  },
  rectification: {
    name: 'Correction',
    explanation: 'Data that is wrong or incomplete. You have a month.',
    title: (person) => `Correct data about ${person}`,
    ...REQUEST,
    details: { label: 'What should be corrected', example: '“The surname is spelled Quaglino.”' },
    outcomes: {
      released: {
        state: 'Corrected',
        choice: 'The data was corrected',
        note: WHAT_AND_HOW,
        example: '“Renamed on 3 November, and wrote to the parent.”',
      },
      not_released: {
        state: 'Not corrected',
        choice: 'The data was not corrected',
        note: WHY_NOT,
        example: '“The birth certificate has the same spelling.”',
      },
    },
  },
  erasure: {
    name: 'Erasure',
    explanation: 'Data that should be deleted. You have a month.',
    title: (person) => `Erase data about ${person}`,
    ...REQUEST,
    details: { label: 'What should be erased', example: '“All notes from Year 2.”' },
    outcomes: {
      released: {
        state: 'Erased',
        choice: 'The data was erased',
        note: WHAT_AND_HOW,
        example: '“Deleted both notes, and wrote to the parent.”',
      },
      not_released: {
        state: 'Not erased',
        choice: 'The data was not erased',
        note: WHY_NOT,
        example: '“We need it to teach reading while the pupil is here.”',
      },
    },
  },
  objection: {
    name: 'Objection',
    explanation: 'You should stop using data, or use less of it. You have a month.',
    title: (person) => `Objection: data about ${person}`,
    ...REQUEST,
    details: { label: 'What you should stop', example: '“Showing certificates in assembly.”' },
    outcomes: {
      released: {
        state: 'Stopped',
        choice: 'We stopped using the data in this way',
        note: WHAT_AND_HOW,
        example: '“No more certificates, and wrote to the parent.”',
      },
      not_released: {
        state: 'Not stopped',
        choice: 'We have a compelling reason to go on',
        note: WHY_NOT,
        example: '“The school has a duty to assess reading.”',
      },
    },
  },
  complaint: {
    name: 'Complaint',
    explanation:
      'Someone is unhappy with how you use data. You acknowledge it within 30 days, look into it, and tell them the outcome.',
    title: (person) => `Complaint: data about ${person}`,
    noun: 'complaint',
    record: 'Record the complaint',
    close: 'Close the complaint',
    details: {
      label: 'What the complaint is about',
      example: '“A letter with my child’s results went to another family.”',
    },
    outcomes: {
      released: {
        state: 'Upheld',
        choice: 'Upheld, in full or in part',
        note: 'What you told the person, and when',
        example: '“Apologised by letter on 3 November; envelopes are now checked by two people.”',
      },
      not_released: {
        state: 'Not upheld',
        choice: 'Not upheld, or withdrawn',
        note: 'What you told the person, and when',
        example: '“Explained by letter on 3 November who can see the results.”',
      },
    },
  },
};

/** What screens call a step. */
interface StepWords {
  /** The button under “Record what happened”. */
  action: string;
  /** In the list of what happened. */
  name: string;
  /** The field for its text, where it needs one. */
  note?: { label: string; description: string };
  /** The effect, in the dialog that records it. */
  effect: string;
}

export const STEP_WORDS: Readonly<Record<RequestStep, StepWords>> = {
  identity_asked: {
    action: 'Asked for proof of identity',
    name: 'You asked for proof of identity',
    effect: 'Ask only if you have a good reason to doubt who asks.',
  },
  identity_confirmed: {
    action: 'Identity confirmed',
    name: 'Identity confirmed',
    note: {
      label: 'How you checked who asks',
      description: 'For example: “Known to the office; showed a passport.” Do not copy numbers of documents.',
    },
    effect: 'Enter the day on which the proof arrived.',
  },
  clarification_asked: {
    action: 'Asked which information',
    name: 'You asked which information is meant',
    note: { label: 'What you asked', description: 'For example: “All notes, or the notes of this year?”' },
    effect: 'The days until the person answers do not count. Ask only if you hold a lot of data about the person.',
  },
  clarification_answered: {
    action: 'Answer arrived',
    name: 'The person answered which information is meant',
    effect: 'The clock goes on from this day.',
  },
  extended: {
    action: 'Extended by two months',
    name: 'You told the person of an extension by two months',
    note: {
      label: 'The reason you gave',
      description: 'The law allows it for complex requests, and for several requests by one person.',
    },
    effect: 'Tell the person and give the reason first. Enter the day on which you told them.',
  },
  acknowledged: {
    action: 'Acknowledged',
    name: 'You acknowledged the complaint',
    effect: 'Send the acknowledgement first. Enter the day on which you sent it.',
  },
  progress_told: {
    action: 'Told about progress',
    name: 'You told the person how it is going',
    note: {
      label: 'What you told the person',
      description: 'For example: “We are still waiting to hear from the office.”',
    },
    effect: 'Enter the day on which you told them.',
  },
};

/** "Dilys Quaglino", or what remains after an erasure. */
export const subjectName = ({ subject: { kind, id, name } }: Pick<SubjectRequest, 'subject'>): string =>
  name ?? `${kind === 'pupil' ? 'A pupil' : 'A member of staff'}, erased (no. ${id})`;
