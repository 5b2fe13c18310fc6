/** Why an archive is not taken; whoever reads the file names it. */
export class Damage extends Error {
  override readonly name = 'Damage';
}
