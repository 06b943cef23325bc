// Is told paths of C# samples and answers what they printed, as JSON. It has the compiler, an assembly like others, in its
// own process: 0.1 s a sample.
using System;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading.Tasks;

static class Reader {
  static readonly MethodInfo compiler = Assembly
    .LoadFrom(Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location), "mcs.exe"))
    .GetType("Mono.CSharp.CompilerCallableEntryPoint", true)
    .GetMethod("InvokeCompiler");

  static void Main() {
    var output = Console.Out;
    string path;
    while ((path = Console.ReadLine()) != null) {
      var said = new StringWriter();
      Console.SetOut(said);
      try {
        Run(path, said);
      } catch (Exception error) {
        said.Write(error);
      }
      var escaped = said.ToString().Select(character => "\\u" + ((int)character).ToString("x4"));
      output.WriteLine("\"" + string.Concat(escaped) + "\"");
      output.Flush();
    }
  }

  static void Run(string path, StringWriter said) {
    var assembly = Path.ChangeExtension(path, ".dll");
    var args = new[] { path, "-target:library", "-out:" + assembly, "-r:System.Net.Http.dll" };
    if (!(bool)compiler.Invoke(null, new object[] { args, said })) return;
    said.GetStringBuilder().Clear();
    var method = Assembly.LoadFrom(assembly).GetType("Sample", true).GetMethod("Run");
    ((Task)method.Invoke(null, null)).GetAwaiter().GetResult();
  }
}
