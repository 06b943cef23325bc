/** Without words of the owner, an image is called by its file name: `harbour-at-dusk.jpg` is "harbour-at-dusk". */
export const nameWithoutExtension = (name: string): string => name.replace(/(?<=.)\.[a-z\d]{2,5}$/i, '')
