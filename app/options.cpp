// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options.h"

#include "app/window_text.h"
#include "ui/timeline/timeline_picture.h"

#include <QRegularExpression>

namespace ddp::app {

using namespace Qt::StringLiterals;

namespace {

constexpr QSize kSmallestPicture(400, 200);
constexpr int kLongestPicture = 16384;

const char kHelp[] =
    R"(Usage: ddpscope [PATH…] [OPTION…]
Node triage and communication overlap for distributed PyTorch.

PATH is a trace (an OTF2 archive, or a folder with one archive per rank) or the folder of a run.

  --demo [CASE]         run a check on this machine at once; no GPU is needed. CASE:
                        missing-model (default), lost-collective, hang, healthy
  --headless OUT.png    no window: show the same, write its picture, print the verdict
  --render OUT.png      no window: write the timeline of the traces as a picture, with overlap, steps and
                        legend; .svg and .pdf as well
  --window A:B          with --render: only this part; nanoseconds from the first event of the run
  --no-cache            read traces anew, and keep nothing of them
  --theme THEME         light, dark or system; a picture of --render is light without it
  --size WxH            size of the window or picture, such as 1280x800; --render takes 1600 by what the
                        rows need without it, and folds the last ranks where it has no room
  --help, --version
)";

Result<ui::CheckRequest> demoCase(const QString& name) {
    using remote::Simulation;
    for (const Simulation simulation :
         {Simulation::MissingModel, Simulation::LostCollective, Simulation::Hang}) {
        if (name == QLatin1String(remote::simulationName(simulation)))
            return ui::CheckRequest{simulation, false};
    }
    if (name == u"healthy")
        return ui::CheckRequest{};
    return fail(ErrorCode::Usage, "There is no demo “" + name.toStdString() +
                                      "”: choose missing-model, lost-collective, hang or healthy.");
}

bool isDemoCase(const QString& word) {
    return demoCase(word).has_value();
}

Result<ui::ThemeMode> themeOf(const QString& name) {
    if (name == u"light")
        return ui::ThemeMode::Light;
    if (name == u"dark")
        return ui::ThemeMode::Dark;
    if (name == u"system")
        return ui::ThemeMode::System;
    return fail(ErrorCode::Usage, "--theme is light, dark or system, not “" + name.toStdString() + "”.");
}

Result<QSize> sizeOf(const QString& text) {
    static const QRegularExpression form(u"^(\\d{3,5})x(\\d{3,5})$"_s);
    const auto match = form.match(text);
    if (!match.hasMatch())
        return fail(ErrorCode::Usage, "--size wants width x height in pixels, such as 1280x800, not “" +
                                          text.toStdString() + "”.");
    return QSize(match.captured(1).toInt(), match.captured(2).toInt());
}

Result<TimeRange> windowOf(const QString& text) {
    if (const auto window = parseWindow(text.toStdString()))
        return *window;
    return fail(ErrorCode::Usage, std::string("--window ") + kWindowWanted + text.toStdString());
}

/// The words after the program's name, one by one.
class Words {
public:
    explicit Words(const QStringList& arguments) : m_words(arguments.mid(1)) {}

    bool done() const { return m_at >= m_words.size(); }
    QString next() {
        QString word = m_words[m_at++];
        m_value.reset();
        if (const auto equals = word.indexOf(u'='); word.startsWith(u"--"_s) && equals > 0) {
            m_value = word.mid(equals + 1);
            word.truncate(equals);
        }
        return word;
    }
    /// The value of the option that was just read: after '=', or the next word.
    Result<QString> value(const QString& option) {
        if (m_value)
            return *m_value;
        if (done() || m_words[m_at].startsWith(u"--"_s))
            return fail(ErrorCode::Usage, option.toStdString() + " wants a value (see ddpscope --help).");
        return m_words[m_at++];
    }
    /// The next word, when it is the name of a demo.
    std::optional<QString> demoName() {
        if (m_value)
            return m_value;
        if (done() || !isDemoCase(m_words[m_at]))
            return std::nullopt;
        return m_words[m_at++];
    }

private:
    QStringList m_words;
    qsizetype m_at = 0;
    std::optional<QString> m_value;
};

Result<void> takeValue(const QString& option, const QString& value, Options& options) {
    const auto put = [](auto parsed, auto& into) -> Result<void> {
        if (!parsed)
            return tl::unexpected<Error>(parsed.error());
        into = *parsed;
        return {};
    };
    if (option == u"--theme")
        return put(themeOf(value), options.theme);
    if (option == u"--size")
        return put(sizeOf(value), options.size);
    if (option == u"--window")
        return put(windowOf(value), options.window);
    options.picture = value;
    options.render = options.render || option == u"--render";
    return {};
}

/// Takes one option; an error when it does not exist or its value is wrong.
Result<void> takeOption(const QString& option, Words& words, Options& options) {
    if (option == u"--demo") {
        auto request = demoCase(words.demoName().value_or(u"missing-model"_s));
        if (!request)
            return tl::unexpected<Error>(request.error());
        options.demo = *request;
        return {};
    }
    if (option == u"--help" || option == u"-h") {
        options.answer = QString::fromUtf8(kHelp);
        return {};
    }
    if (option == u"--no-cache") {
        options.noCache = true;
        return {};
    }
    if (option == u"--version") {
        options.answer = QStringLiteral("ddpscope " DDP_VERSION "\n");
        return {};
    }
    static const QStringList kWithValue{u"--headless"_s, u"--render"_s, u"--window"_s, u"--theme"_s,
                                        u"--size"_s};
    if (!kWithValue.contains(option))
        return fail(ErrorCode::Usage,
                    "There is no option " + option.toStdString() + " (see ddpscope --help).");
    const auto value = words.value(option);
    if (!value)
        return tl::unexpected<Error>(value.error());
    return takeValue(option, *value, options);
}

/// Options that do not go together, or lack something.
Result<void> check(const Options& options, bool headless) {
    const auto usage = [](const char* sentence) { return fail(ErrorCode::Usage, sentence); };
    if (options.render && (headless || options.demo))
        return usage("--render draws traces without a window; leave out --headless and --demo.");
    if (options.window && !options.render)
        return usage("--window goes with --render only.");
    if (!options.render)
        return {};
    if (options.paths.empty())
        return usage("--render wants a trace behind the picture, such as: ddpscope --render out.png TRACE");
    if (!ui::pictureFormat(options.picture))
        return fail(ErrorCode::Usage, ui::pictureFormatProblem(options.picture).toStdString());
    const bool fits = !options.size ||
                      (options.size->width() >= kSmallestPicture.width() &&
                       options.size->height() >= kSmallestPicture.height() &&
                       options.size->width() <= kLongestPicture && options.size->height() <= kLongestPicture);
    return fits ? Result<void>() : usage("--size of a picture is from 400x200 to 16384x16384.");
}

} // namespace

Result<Options> parseOptions(const QStringList& arguments) {
    Options options;
    Words words(arguments);
    bool onlyPaths = false;
    bool headless = false;
    while (!words.done()) {
        const QString word = words.next();
        if (!onlyPaths && word == u"--") {
            onlyPaths = true;
        } else if (!onlyPaths && word.startsWith(u'-') && word.size() > 1) {
            headless = headless || word == u"--headless";
            if (auto taken = takeOption(word, words, options); !taken)
                return tl::unexpected<Error>(taken.error());
        } else {
            options.paths.emplace_back(word.toStdString());
        }
    }
    if (auto fine = check(options, headless); !fine && options.answer.isEmpty())
        return tl::unexpected<Error>(fine.error());
    return options;
}

} // namespace ddp::app
