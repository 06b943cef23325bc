export const svgNamespace = 'http://www.w3.org/2000/svg'
export const xlinkNamespace = 'http://www.w3.org/1999/xlink'
export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'
