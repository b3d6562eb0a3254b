import type { AppError } from './errors.ts';

/** Whom work is for. Schools take turns, and so do the people of a school. */
export interface WorkOwner {
  /** Guests count as one school, and so does the portal's own work for no school. */
  school: number | 'guests' | 'portal';
  /** The user, pupil, guest's network or job. */
  person: string;
}

interface Limits {
  concurrency: number;
  maxWaiting: number;
  /** How much work of one person runs and waits; as much as of all together when absent. */
  perPerson?: { running: number; waiting: number };
  /** How long work may wait for its start; as long as it takes when absent. */
  maxWaitMs?: number;
  /** The error for work that is rejected because too much waits, or because it has waited too long. */
  overloaded: () => AppError;
}

/** Work that waits. */
interface Entry {
  start: () => void;
  reject: (reason: unknown) => void;
}

interface Person {
  running: number;
  /** In the order of arrival. */
  waiting: Set<Entry>;
}

interface School {
  running: number;
  waiting: number;
  /** In the order of their next turn. */
  people: Map<string, Person>;
}

/**
 * Runs a limited amount of work at once, in turns. A free slot is given to the school with the least running work, of
 * these to the one whose last turn was the longest ago, and in it to the person whose last turn was the longest ago.
 * When the queue is full, work of a school that waits for less replaces the newest of the school that waits for most.
 */
export class BoundedQueue {
  readonly #limits: Limits;
  /** Schools with running or waiting work, in the order of their next turn. */
  readonly #schools = new Map<WorkOwner['school'], School>();
  #running = 0;
  #waiting = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get waitingCount(): number {
    return this.#waiting;
  }

  /** Schools and people with running or waiting work. */
  get ownerCounts(): { schools: number; people: number } {
    const schools = [...this.#schools.values()];
    return { schools: schools.length, people: schools.reduce((sum, { people }) => sum + people.size, 0) };
  }

  /**
   * Runs `work` when a slot is free. Work that is rejected never starts.
   * @param signal removes the work while it waits; work that has started finishes
   */
  async run<T>(owner: WorkOwner, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#running < this.#limits.concurrency && this.#canRun(this.#findPerson(owner))) this.#addRunning(owner);
    else await this.#wait(owner, signal);
    try {
      return await work();
    } finally {
      this.#removeRunning(owner);
      this.#startNext();
    }
  }

  #wait(owner: WorkOwner, signal: AbortSignal | undefined): Promise<void> {
    const { maxWaitMs, perPerson, overloaded } = this.#limits;
    if (perPerson && (this.#findPerson(owner)?.waiting.size ?? 0) >= perPerson.waiting) throw overloaded();
    this.#makeRoom(owner.school);
    return new Promise<void>((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        this.#removeWaiting(owner, entry);
      };
      const entry: Entry = {
        start: () => {
          stopWaiting();
          this.#addRunning(owner);
          resolve();
        },
        reject: (reason) => {
          stopWaiting();
          reject(reason);
        },
      };
      const leave = () => entry.reject(signal?.reason);
      const timer = maxWaitMs === undefined ? undefined : setTimeout(() => entry.reject(overloaded()), maxWaitMs);
      signal?.addEventListener('abort', leave);
      this.#addWaiting(owner, entry);
    });
  }

  /** Rejects other work when the queue is full; throws when none may be replaced. */
  #makeRoom(school: WorkOwner['school']): void {
    if (this.#waiting < this.#limits.maxWaiting) return;
    const [largest] = [...this.#schools.values()].sort((a, b) => b.waiting - a.waiting);
    const [person] = [...(largest?.people.values() ?? [])].sort((a, b) => b.waiting.size - a.waiting.size);
    const newest = [...(person?.waiting ?? [])].at(-1);
    if (!newest || !largest || largest.waiting <= (this.#schools.get(school)?.waiting ?? 0) + 1)
      throw this.#limits.overloaded();
    newest.reject(this.#limits.overloaded());
  }

  #startNext(): void {
    while (this.#running < this.#limits.concurrency) {
      const next = this.#findNext();
      if (!next) return;
      next.start();
    }
  }

  #findNext(): Entry | undefined {
    let next: { running: number; entry: Entry } | undefined;
    for (const { running, waiting, people } of this.#schools.values()) {
      if (waiting === 0 || (next && running >= next.running)) continue;
      for (const person of people.values()) {
        const [entry] = person.waiting;
        if (!entry || !this.#canRun(person)) continue;
        next = { running, entry };
        break;
      }
      if (next?.running === 0) break;
    }
    return next?.entry;
  }

  #canRun(person: Person | undefined): boolean {
    return (person?.running ?? 0) < (this.#limits.perPerson?.running ?? Infinity);
  }

  #findPerson({ school, person }: WorkOwner): Person | undefined {
    return this.#schools.get(school)?.people.get(person);
  }

  #addRunning(owner: WorkOwner): void {
    const { school, person } = this.#open(owner);
    this.#running += 1;
    school.running += 1;
    person.running += 1;
    // Both have had their turn.
    moveToEnd(school.people, owner.person, person);
    moveToEnd(this.#schools, owner.school, school);
  }

  #removeRunning(owner: WorkOwner): void {
    const { school, person } = this.#open(owner);
    this.#running -= 1;
    school.running -= 1;
    person.running -= 1;
    this.#close(owner);
  }

  #addWaiting(owner: WorkOwner, entry: Entry): void {
    const { school, person } = this.#open(owner);
    this.#waiting += 1;
    school.waiting += 1;
    person.waiting.add(entry);
  }

  #removeWaiting(owner: WorkOwner, entry: Entry): void {
    const { school, person } = this.#open(owner);
    this.#waiting -= 1;
    school.waiting -= 1;
    person.waiting.delete(entry);
    this.#close(owner);
  }

  #open(owner: WorkOwner): { school: School; person: Person } {
    const school = this.#schools.get(owner.school) ?? { running: 0, waiting: 0, people: new Map<string, Person>() };
    const person = school.people.get(owner.person) ?? { running: 0, waiting: new Set<Entry>() };
    this.#schools.set(owner.school, school);
    school.people.set(owner.person, person);
    return { school, person };
  }

  /** Forgets an owner without work. */
  #close({ school: schoolId, person: name }: WorkOwner): void {
    const school = this.#schools.get(schoolId);
    const person = school?.people.get(name);
    if (person?.running === 0 && person.waiting.size === 0) school?.people.delete(name);
    if (school?.people.size === 0) this.#schools.delete(schoolId);
  }
}

function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
}
