// What web/build/help-texts.ts makes of the texts in content/.

declare module '*.md?blocks' {
  const document: import('../../content/read-markdown.ts').MarkdownDocument;
  export default document;
}

declare module '*.json?help' {
  const help: import('../../content/help/read-help.ts').HelpTexts & {
    /** By file name; sizes in CSS pixels. */
    pictures: Record<string, { src: string; width: number; height: number }>;
    /** By ID: URLs of the video in two formats, its captions (WebVTT) and its poster; the texts of the captions. */
    videos: Record<string, { webm: string; mp4: string; captions: string; poster: string; transcript: string[] }>;
  };
  export default help;
}

declare module '*.json?screens' {
  /** URL of the guide's section about a screen, by the screen's route. */
  const sections: Record<string, string>;
  export default sections;
}
