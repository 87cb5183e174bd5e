/** How many requests one process sends to the provider at a time. */
export interface RequestGate {
  /** Whether one more may be sent now; whoever has entered leaves. */
  enter(): boolean;
  leave(): void;
}

export function requestGate(atOnce: number): RequestGate {
  let inside = 0;
  return {
    enter() {
      if (inside >= atOnce) return false;
      inside += 1;
      return true;
    },
    leave: () => void (inside -= 1),
  };
}
