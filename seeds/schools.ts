import people from './people.json' with { type: 'json' };

interface StaffPlan {
  firstName: string;
  lastName: string;
  email: string;
  role: 'admin' | 'teacher';
}

interface ContactPlan {
  type: 'primary' | 'billing';
  contact_name: string;
  job_role: string;
  address_line_1: string;
  address_line_2: string;
  postcode: string;
  telephone: string;
  email: string;
}

/** The plan of a demonstration school. */
export interface SchoolPlan {
  name: string;
  urn: string;
  staff: StaffPlan[];
  /** The address of an admin who works at another demonstration school too. */
  sharedAdmin?: string;
  /** `manager` is an index in `staff`. */
  classes: { name: string; yearGroup: number; manager: number; pupils: string[] }[];
  unplaced: string[];
  /** Pupils who have never read. */
  neverReads: ReadonlySet<string>;
  contacts: ContactPlan[];
  /** Months of reading up to today. */
  months: number;
  /** A factor on the usual amount of reading. */
  lighter: number;
  subscription: {
    packageId: number | null;
    title: string;
    isTrial: boolean;
    maxReaders: number;
    pricePence: number;
    provider: string | null;
    monthsGone: number;
    monthsLeft: number;
  };
  /** Number of the first pupil's username. */
  firstPupil: number;
}

const peopleOf = (name: string) => {
  const found = people.schools.find((school) => school.name === name);
  if (!found) throw new Error(`seeds/people.json has no ${name}.`);
  return found;
};

/** `s.mcglinchey` for Siobhán McGlinchey. */
const mailName = (first: string, last: string): string =>
  `${first[0]}.${last}`
    .replace(/ł/gi, 'l')
    .normalize('NFD')
    .replace(/[^A-Za-z.-]/g, '')
    .toLowerCase();

function planStaff(name: string, domain: string, given: Record<number, string>): StaffPlan[] {
  return peopleOf(name).staff.map(({ first_name: firstName, last_name: lastName }, index) => ({
    firstName,
    lastName,
    email: `${given[index] ?? mailName(firstName, lastName)}@${domain}`,
    role: index === 0 ? 'admin' : 'teacher',
  }));
}

/** @param managers the teacher of each class, as an index in the staff */
const planClasses = (name: string, managers: readonly number[]) =>
  peopleOf(name).classes.map((group, index) => ({
    ...group,
    yearGroup: Number(/\d/.exec(group.name)?.[0]),
    manager: managers[index] ?? 0,
  }));

const WILLOWBANK = 'Willowbank Primary School';
const OTTERBROOK = 'Otterbrook Primary School';

/** Works at both schools. */
const BUSINESS_MANAGER = 'finance@willowbank.example';

const pupilsOf = (name: string): number => {
  const { classes, unplaced } = peopleOf(name);
  return unplaced.length + classes.reduce((sum, { pupils }) => sum + pupils.length, 0);
};

/** The demonstration schools: one in its second year with the product, one that has just started. */
export const demoSchools: readonly SchoolPlan[] = [
  {
    name: WILLOWBANK,
    urn: '904417',
    staff: [
      ...planStaff(WILLOWBANK, 'willowbank.example', { 0: 'head', 1: 'teacher' }),
      { firstName: 'Patrick', lastName: 'Delaney', email: BUSINESS_MANAGER, role: 'admin' },
    ],
    classes: planClasses(WILLOWBANK, [2, 1, 3]),
    unplaced: peopleOf(WILLOWBANK).unplaced,
    neverReads: new Set(['Deniz Yıldız', 'Ewan Galbraith', 'Rafi Haddad', 'Tomi Ogunleye']),
    // Telephone numbers that Ofcom reserves for fiction.
    contacts: [
      {
        type: 'primary',
        contact_name: 'Helen Ashworth',
        job_role: 'Headteacher',
        address_line_1: 'Willow Lane',
        address_line_2: 'Nether Harrow',
        postcode: 'YO62 9XQ',
        telephone: '01632 960417',
        email: 'head@willowbank.example',
      },
      {
        type: 'billing',
        contact_name: 'Patrick Delaney',
        job_role: 'School Business Manager',
        address_line_1: 'Willow Lane',
        address_line_2: 'Nether Harrow',
        postcode: 'YO62 9XQ',
        telephone: '01632 960418',
        email: BUSINESS_MANAGER,
      },
    ],
    months: 13,
    lighter: 1,
    subscription: {
      packageId: 4,
      title: 'Key stage',
      isTrial: false,
      maxReaders: 120,
      pricePence: 48_000,
      provider: 'invoice',
      monthsGone: 7,
      monthsLeft: 5,
    },
    firstPupil: 1,
  },
  {
    name: OTTERBROOK,
    urn: '904588',
    staff: planStaff(OTTERBROOK, 'otherschool.example', { 0: 'head' }),
    sharedAdmin: BUSINESS_MANAGER,
    classes: planClasses(OTTERBROOK, [1, 2]),
    unplaced: peopleOf(OTTERBROOK).unplaced,
    neverReads: new Set(['Isaac Ofori', 'Zachary Pell', 'Elis Cadwallader']),
    contacts: [
      {
        type: 'primary',
        contact_name: 'Duncan Carmichael',
        job_role: 'Headteacher',
        address_line_1: '2 Mill Bridge',
        address_line_2: 'Otterbrook',
        postcode: 'DL13 8ZT',
        telephone: '01632 960588',
        email: 'head@otherschool.example',
      },
    ],
    months: 2,
    lighter: 0.6,
    // An operator extended this trial and gave it more places.
    subscription: {
      packageId: null,
      title: 'Extended free trial',
      isTrial: true,
      maxReaders: 60,
      pricePence: 0,
      provider: 'manual',
      monthsGone: 2,
      monthsLeft: 1,
    },
    firstPupil: 1 + pupilsOf(WILLOWBANK),
  },
];
