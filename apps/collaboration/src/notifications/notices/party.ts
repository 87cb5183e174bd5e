/** Who takes part in something that notifications are about: in a change request, a comment or a team. */
export interface PartyDocument {
  organization: string;
  /** `null` for a team. */
  space: string | null;
  /** Whoever began it first. Of many, those who came first after that are dropped. */
  people: Participant[];
}

export interface Participant {
  user: string;
  /** The position of the event with which they came. */
  since: number;
}

/** Of more people than this only the first one and the latest ones are told. */
const mostPeople = 200;

/** A party with one more person, unless they are in it. Pure. */
export function withPerson(party: PartyDocument, person: Participant): PartyDocument {
  const { people } = party;
  if (people.some(({ user }) => user === person.user)) return party;
  const [first, ...others] = [...people, person];
  return { ...party, people: first === undefined ? [] : [first, ...others.slice(-(mostPeople - 1))] };
}

/** A party without one of its people. Pure. */
export function withoutPerson(party: PartyDocument, user: string): PartyDocument {
  return { ...party, people: party.people.filter((one) => one.user !== user) };
}

/** The people who were in a party before an event. The document of the party may be newer than the event. Pure. */
export function peopleBefore(party: PartyDocument | null, position: bigint): string[] {
  return (party?.people ?? []).filter(({ since }) => since < Number(position)).map(({ user }) => user);
}
