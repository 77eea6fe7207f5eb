// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/worker/training.h"

#include "remote/worker/checksum.h"

#include <cmath>
#include <cstdio>
#include <cstring>

namespace ddp::worker {

namespace {

constexpr double kLearningRate = 0.05;

enum Word { kLoss, kGradients, kParameters, kWordCount };

std::int64_t bitsOf(double value) {
    std::int64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

double doubleOf(std::int64_t bits) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

template <class Select>
std::int64_t checksumOf(const TinyNet& net, Select select) {
    std::uint64_t sum = checksum(nullptr, 0);
    for (const auto& parameter : net.parameters()) {
        const at::Tensor values = select(parameter).detach().cpu().contiguous();
        sum = checksum(values.data_ptr(), values.nbytes(), sum);
    }
    return static_cast<std::int64_t>(sum);
}

std::string fixed(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.4f", value);
    return text;
}

class Training {
public:
    Training(RankSession& session, const compat::ProcessGroup& group, const TinyNet& net)
        : m_session(session), m_group(group), m_net(net),
          m_reducer(compat::makeReducer(net.parameters(), group)), m_batch(makeBatch(session.place().rank)) {}

    void run() {
        const std::int64_t steps = m_session.options().steps;
        double loss = 0;
        for (std::int64_t step = 0; step < steps; ++step) {
            m_session.renewDeadline();
            const double own = trainStep();
            const records::Step record = compared(step, own);
            m_session.record(record);
            m_session.countStep();
            loss = record.loss;
            m_session.say("step " + std::to_string(step + 1) + "/" + std::to_string(steps) +
                          ": loss=" + fixed(loss));
            failIfWrong(record);
        }
        m_session.say("training step OK — loss=" + fixed(loss));
    }

private:
    double trainStep() {
        const trace::Scope whole(m_session.recorder(), "user:step");
        at::Tensor loss;
        {
            const trace::Scope scope(m_session.recorder(), "user:forward");
            m_reducer->rebuild_buckets();
            m_reducer->prepare_for_forward();
            loss = at::mse_loss(m_net.forward(m_batch.input), m_batch.target);
            m_reducer->prepare_for_backward({});
        }
        {
            const trace::Scope scope(m_session.recorder(), "user:backward");
            loss.backward();
        }
        const trace::Scope scope(m_session.recorder(), "user:optimizer");
        m_gradients = checksumOf(m_net, [](const at::Tensor& parameter) { return parameter.grad(); });
        const at::NoGradGuard noGradients;
        for (const auto& parameter : m_net.parameters()) {
            at::Tensor values = parameter;
            values.sub_(values.grad(), kLearningRate);
            values.mutable_grad().zero_();
        }
        return loss.item<double>();
    }

    /// Gathers every rank's loss and checksums.
    records::Step compared(std::int64_t step, double ownLoss) {
        const trace::Scope scope(m_session.recorder(), "user:compare");
        const std::int64_t parameters =
            checksumOf(m_net, [](const at::Tensor& parameter) { return parameter; });
        at::Tensor input = at::empty({kWordCount}, at::kLong);
        input.data_ptr<std::int64_t>()[kLoss] = bitsOf(ownLoss);
        input.data_ptr<std::int64_t>()[kGradients] = m_gradients;
        input.data_ptr<std::int64_t>()[kParameters] = parameters;
        std::vector<at::Tensor> inputs{input};
        std::vector<std::vector<at::Tensor>> outputs(1);
        for (int rank = 0; rank < m_group->getSize(); ++rank)
            outputs[0].push_back(at::zeros({kWordCount}, at::kLong));
        m_group->allgather(outputs, inputs)->wait();

        records::Step record;
        record.step = step;
        record.gradientsEqual = true;
        record.parametersEqual = true;
        for (const at::Tensor& output : outputs[0]) {
            const auto* words = output.data_ptr<std::int64_t>();
            record.loss += doubleOf(words[kLoss]) / static_cast<double>(m_group->getSize());
            record.gradientsEqual = *record.gradientsEqual && words[kGradients] == m_gradients;
            record.parametersEqual = *record.parametersEqual && words[kParameters] == parameters;
        }
        record.lossFinite = std::isfinite(record.loss);
        return record;
    }

    void failIfWrong(const records::Step& record) {
        const std::string step = "step " + std::to_string(record.step + 1);
        std::string what;
        if (!record.lossFinite)
            what = "the loss of " + step + " is not a finite number";
        else if (!*record.gradientsEqual)
            what = "the gradients of " + step +
                   " differ between the ranks: the all-reduce gave them different values";
        else if (!*record.parametersEqual)
            what = "the parameters after " + step +
                   " differ between the ranks, although the gradients were equal";
        if (!what.empty())
            m_session.fail({records::kExitNodeFault, "node", "*** TRAINING STEP FAILED ***", what});
    }

    RankSession& m_session;
    const compat::ProcessGroup& m_group;
    const TinyNet& m_net;
    std::unique_ptr<c10d::Reducer> m_reducer;
    const Batch m_batch;
    std::int64_t m_gradients = 0; // checksum
};

} // namespace

void runTraining(RankSession& session, const compat::ProcessGroup& group, const TinyNet& net) {
    Training(session, group, net).run();
}

} // namespace ddp::worker
