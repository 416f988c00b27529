/** A request that the domain refuses. `code` is stable; the message is for people and holds no secret. */
export abstract class DomainError extends Error {
  abstract readonly code: string;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}
