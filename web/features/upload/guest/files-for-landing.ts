// Files that a guest has given to another page, which are too many to be taken without a question: the landing asks it.
let given: readonly File[] = []

export const leaveForLanding = (files: readonly File[]) => void (given = files)

/** @returns the files, once */
export function takeGivenElsewhere(): readonly File[] {
  const files = given
  given = []
  return files
}
